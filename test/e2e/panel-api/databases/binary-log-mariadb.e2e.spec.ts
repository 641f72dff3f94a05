import { describeWithDatabases } from '../../../support/databases/database-images.js';
import { testBinaryLog } from './binary-log-tests.js';

describeWithDatabases('A MariaDB at any second', () => {
  testBinaryLog({
    template: 'mariadb',
    image: 'library/mariadb:11.8',
    client: ['mariadb', '--no-defaults', '--batch', '-N'],
    login: [],
    status: 'show binlog status',
    newLog: 'reset master',
    own: { make: 'create sequence shop.numbers; select nextval(shop.numbers);', tables: ['numbers'] },
    afterFailedDrop: [],
    manyRows: "select seq, repeat('x', 200) from seq_1_to_60000",
    settings: 'OFF\t16777216',
    compress: 'set global log_bin_compress = on; set global log_bin_compress_min_len = 10',
  });
});
