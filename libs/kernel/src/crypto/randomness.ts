import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { Uuid } from './uuid.js';

/** The only source of randomness in domain and application code; cryptographically strong. */
export abstract class Randomness {
  /** A UUID of version 7. Ids created one after the other are adjacent in every index, which keeps inserts fast. */
  abstract uuid(): Uuid;
  abstract bytes(length: number): Buffer;
  /** `length` independent characters of `alphabet`, each equally likely. */
  abstract text(length: number, alphabet: string): string;
}

export class SystemRandomness extends Randomness {
  uuid(): Uuid {
    const milliseconds = Date.now().toString(16).padStart(12, '0');
    return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7${randomUUID().slice(15)}` as Uuid;
  }

  bytes(length: number): Buffer {
    return randomBytes(length);
  }

  text(length: number, alphabet: string): string {
    let result = '';
    for (let i = 0; i < length; i++) result += alphabet[randomInt(alphabet.length)];
    return result;
  }
}
