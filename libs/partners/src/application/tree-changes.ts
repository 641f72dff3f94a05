import { Injectable } from '@nestjs/common';
import type { SubtreeMove, TreeChangeListener } from './ports/tree-change-listener.js';

/** Notifies other contexts, which this one may not import, that the tree has changed. */
@Injectable()
export class TreeChanges {
  private readonly listeners: TreeChangeListener[] = [];

  subscribe(listener: TreeChangeListener): void {
    this.listeners.push(listener);
  }

  /** Calls the listeners one after the other, because they share the connection of the transaction. */
  async announce(move: SubtreeMove): Promise<void> {
    for (const listener of this.listeners) await listener.subtreeMoved(move);
  }
}
