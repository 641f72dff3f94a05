import 'reflect-metadata';
import { validateSync } from 'class-validator';
import { IsCountryOrEmpty, IsEmailOrEmpty, IsWebsiteOrEmpty } from './address.decorator.js';

class Address {
  @IsCountryOrEmpty() country: unknown = '';
  @IsEmailOrEmpty() email: unknown = '';
  @IsWebsiteOrEmpty() website: unknown = '';
}

const problems = (given: Partial<Address>) =>
  validateSync(Object.assign(new Address(), given)).flatMap(({ constraints }) => Object.values(constraints ?? {}));

describe('addresses', () => {
  it('may be empty', () => {
    expect(problems({})).toEqual([]);
  });

  it.each(['DE', 'US', 'GB', 'SS', 'BQ', 'AX'])('accept the country %s', (country) => {
    expect(problems({ country })).toEqual([]);
  });

  it.each(['de', 'Us', 'XK', 'UK', 'EU', 'AN', 'YU', 'ZZ', 'DEU', ' DE', 'D', null, 7, ['DE']])(
    'refuse the country %j',
    (country) => {
      expect(problems({ country })).toEqual([
        'country must be an assigned ISO 3166-1 alpha-2 code in upper case, or empty',
      ]);
    },
  );

  it.each(['a@b.example', 'first.last+tag@mail.b.example', 'ä@münchen.example'])(
    'accept the e-mail address %s',
    (email) => {
      expect(problems({ email })).toEqual([]);
    },
  );

  it.each(['a', 'a@b', '@b.example', 'a b@c.example', 'A <a@b.example>', ' a@b.example', null, {}])(
    'refuse the e-mail address %j',
    (email) => {
      expect(problems({ email })).toEqual(['email must be an e-mail address, or empty']);
    },
  );

  it.each([
    'https://a.example',
    'HTTP://a.example:8080/x?y=1#z',
    'a.example',
    'www.a.example/x',
    'https://münchen.example',
  ])('accept the website %s', (website) => {
    expect(problems({ website })).toEqual([]);
  });

  it.each([
    'javascript:alert(1)',
    'javascript:alert(1)//@a.example',
    'javascript:%0aalert(1)@a.example',
    'javascript://a.example/%0aalert(1)',
    'data:text/html,x',
    'ftp://a.example',
    '//a.example',
    'https://user:secret@a.example',
    'https://localhost',
    'no site',
    null,
    7,
  ])('refuse the website %j', (website) => {
    expect(problems({ website })).toEqual(['website must be an http or https address, or empty']);
  });
});
