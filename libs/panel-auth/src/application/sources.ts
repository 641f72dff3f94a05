import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import { Randomness } from '#kernel/crypto/randomness';
import { ApiKeyRepository } from './ports/api-key-repository.js';
import { MembershipRepository, OrganisationRepository } from './ports/organisation-repository.js';
import { UserRepository } from './ports/user-repository.js';

/** Time and randomness, which most services need together. */
@Injectable()
export class Sources {
  constructor(
    readonly clock: Clock,
    readonly randomness: Randomness,
  ) {}
}

/** The repositories that authorization needs. */
@Injectable()
export class DirectoryRecords {
  constructor(
    readonly users: UserRepository,
    readonly organisations: OrganisationRepository,
    readonly memberships: MembershipRepository,
    readonly keys: ApiKeyRepository,
  ) {}
}
