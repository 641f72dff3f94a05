import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';
import type { HostName } from '../../domain/domains/host-name.js';
import type { DomainStatus, TlsMode, VerificationMethod } from '../../domain/domains/service-domain.js';

@Entity({ schema: 'services', name: 'domains' })
export class DomainRow {
  @PrimaryColumn('uuid') id: Uuid;
  @Column('uuid', { name: 'service_id' }) serviceId: Uuid;
  @Column('text') host: HostName;
  @Column('text', { name: 'target_service' }) targetService: string;
  @Column('integer', { name: 'target_port' }) targetPort: number;
  @Column('boolean', { name: 'is_primary' }) isPrimary: boolean;
  @Column('text') tls: TlsMode;
  @Column('text') status: DomainStatus;
  @Column('text', { name: 'verification_method' }) verificationMethod: VerificationMethod;
  @Column('text', { name: 'verification_record', nullable: true }) verificationRecord: string | null;
  @Column('text', { name: 'verification_value', nullable: true }) verificationValue: string | null;
  @Column('timestamptz', { name: 'checked_at', nullable: true }) checkedAt: Date | null;
  @Column('text', { name: 'error_message', nullable: true }) errorMessage: string | null;
  @Column('timestamptz', { name: 'verified_at', nullable: true }) verifiedAt: Date | null;
  @Column('timestamptz', { name: 'certificate_expires_at', nullable: true }) certificateExpiresAt: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'next_check_at', nullable: true }) nextCheckAt: Date | null;
}
