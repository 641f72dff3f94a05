import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Uuid } from '#kernel/crypto/uuid';

@Entity({ schema: 'services', name: 'template_services' })
export class TemplateServiceRow {
  @PrimaryColumn('uuid', { name: 'service_id' }) serviceId: Uuid;
  @Column('text') template: string;
  @Column('text', { name: 'service_name' }) serviceName: string;
  @Column('text', { name: 'database_name' }) database: string;
  @Column('text', { name: 'user_name' }) user: string;
  @Column('text') image: string;
  @Column('text', { name: 'server_version', nullable: true }) serverVersion: string | null;
  @Column('bytea') secrets: Buffer;
  @Column('bytea', { name: 'next_password', nullable: true }) nextPassword: Buffer | null;
  @Column('timestamptz', { name: 'rotation_began_at', nullable: true }) rotationBeganAt: Date | null;
  @Column('timestamptz', { name: 'awaits_data_since', nullable: true }) awaitsDataSince: Date | null;
  @Column('jsonb', { nullable: true }) alarm: object | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt: Date;
}
