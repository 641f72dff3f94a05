import { Injectable } from '@nestjs/common';
import type { Uuid } from '#kernel/crypto/uuid';
import { Authentication } from './authentication.js';
import type { Caller } from '../domain/caller.js';

/**
 * For connections that outlive their request: notifies each when its key or session has ended, wherever that was done.
 * All watched credentials of a process are checked together, twice a second.
 */
@Injectable()
export class CredentialWatch {
  private readonly listeners = new Map<Uuid, Set<() => void>>();

  constructor(private readonly authentication: Authentication) {}

  /**
   * @param onEnded called once, within a second of the end
   * @returns stops watching
   */
  watch({ credential }: Caller, onEnded: () => void): () => void {
    const id = credential.kind === 'session' ? credential.sessionId : credential.key.id;
    const listeners = this.listeners.get(id) ?? new Set();
    this.listeners.set(id, listeners.add(onEnded));
    return () => {
      listeners.delete(onEnded);
      if (listeners.size === 0 && this.listeners.get(id) === listeners) this.listeners.delete(id);
    };
  }

  /** Checks everything that is watched and notifies those whose credential has ended. */
  async check(): Promise<void> {
    if (this.listeners.size === 0) return;
    for (const id of await this.authentication.ended([...this.listeners.keys()])) {
      const listeners = this.listeners.get(id) ?? [];
      this.listeners.delete(id);
      for (const onEnded of listeners) onEnded();
    }
  }
}
