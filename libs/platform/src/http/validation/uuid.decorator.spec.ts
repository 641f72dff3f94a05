import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { IsId } from './uuid.decorator.js';

class Reference {
  @IsId() partnerId: unknown;
}

const ID = '7d3b1c3e-6a0f-4b5e-9a59-0d7a5a9f4f3c';

describe('an id in a body or a filter', () => {
  it.each([ID, ID.toUpperCase()])('is read as the canonical UUID: %s', (partnerId) => {
    const reference = plainToInstance(Reference, { partnerId });
    expect(validateSync(reference)).toEqual([]);
    expect(reference.partnerId).toBe(ID);
  });

  it.each([`{${ID}}`, ID.replaceAll('-', ''), `${ID} `, '', 'x', null, 7, [ID], { id: ID }])(
    'is refused if it is %j',
    (partnerId) => {
      const [problem] = validateSync(plainToInstance(Reference, { partnerId }));
      expect(problem?.constraints).toEqual({ isId: 'partnerId must be a UUID' });
    },
  );
});
