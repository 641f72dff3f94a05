import { describeWithUnstableDatabases } from '../../../support/databases/database-images.js';
import { testBinaryLog } from './binary-log-tests.js';

describeWithUnstableDatabases('A MySQL at any second', () => {
  testBinaryLog({
    template: 'mysql',
    image: 'library/mysql:8.4',
    client: ['mysql', '--no-defaults', '--batch', '-N'],
    login: ['--get-server-public-key'],
    status: 'show binary log status',
    newLog: 'reset binary logs and gtids',
    own: { make: '', tables: [] },
    // MySQL drops either all of the tables or none.
    afterFailedDrop: ['one'],
    manyRows: `with recursive s (n) as (select 1 union all select n + 1 from s where n < 60000)
      select /*+ set_var(cte_max_recursion_depth = 60000) */ n, repeat('x', 200) from s`,
    settings: 'ON\t67108864',
    compress: '',
  });
});
