import type { BaseImages } from '../base-images.js';

export interface Generation {
  readonly images: BaseImages;
  /** What the program is to listen on. */
  readonly port: number;
}
