import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import type { LicenseMetadata } from '../../../application/ports/license-service.js';

/** An edition at the license service. */
@Entity({ schema: 'license_service', name: 'policies' })
export class PolicyRow {
  @PrimaryColumn('uuid') id: Uuid;
  @Column('text') edition: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
}

@Entity({ schema: 'license_service', name: 'licenses' })
export class LicenseRecordRow {
  @PrimaryColumn('uuid') id: Uuid;
  @Column('bytea', { name: 'key_hash', select: false }) keyHash: Buffer;
  @Column('text', { name: 'key_masked' }) keyMasked: string;
  @Column('uuid', { name: 'policy_id' }) policyId: Uuid;
  @Column('boolean') suspended: boolean;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt: Date | null;
  @Column('jsonb') metadata: LicenseMetadata;
  @Column('bigint', { name: 'metadata_sequence' }) metadataSequence: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt: Date | null;
}

/** An Ed25519 key pair. The private key is a PKCS #8 document, sealed by the key ring. */
@Entity({ schema: 'license_service', name: 'signing_keys' })
export class SigningKeyRow {
  @PrimaryColumn('uuid') id: Uuid;
  @Column('bytea', { name: 'public_key' }) publicKey: Buffer;
  @Column('bytea', { name: 'sealed_private_key', select: false }) sealedPrivateKey: Buffer;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'retired_at', nullable: true }) retiredAt: Date | null;
}
