import type { BaseImages } from '../base-images.js';

export interface Generation {
  readonly images: BaseImages;
  /** The port on which the program should listen. */
  readonly port: number;
}
