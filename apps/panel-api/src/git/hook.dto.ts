import { ApiProperty } from '@nestjs/swagger';
import type { Uuid } from '#kernel/crypto/uuid';
import { HOOK_OUTCOMES, type HookDelivery } from '#libs/services';

const ID = { type: String, format: 'uuid', example: '6f6c1d7e-52a5-4a53-9c39-2c6a5c1f0a11' };
const TIME = { type: String, format: 'date-time', example: '2026-05-01T08:30:00.000Z' };
const HOOK = { example: 'Zk3vQm2yR1sT8uW0xY4a5B6c' };
const URL = {
  description: 'The URL to enter at the Git host.',
  example: 'https://panel.example.com/api/v1/hooks/git/Zk3v…',
};

export class HookDto {
  @ApiProperty(HOOK)
  hookId: string;

  @ApiProperty(URL)
  url: string;

  @ApiProperty(TIME)
  createdAt: Date;
}

export class MadeHookDto {
  @ApiProperty(HOOK)
  hookId: string;

  @ApiProperty(URL)
  url: string;

  @ApiProperty({ description: 'Shown in this response only.', example: 'bM1…' })
  secret: string;
}

export class HookDeliveryDto {
  @ApiProperty(ID)
  id: Uuid;

  @ApiProperty({ example: 'github' })
  provider: string;

  @ApiProperty({ example: 'push' })
  event: string;

  @ApiProperty({ type: String, nullable: true, description: 'The branch.', example: 'main' })
  ref: string | null;

  @ApiProperty({ type: String, nullable: true, example: '9f2c1d7e52a54a539c392c6a5c1f0a1122334455' })
  commitSha: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Number of the pull request, if any.', example: null })
  pullRequest: number | null;

  @ApiProperty({ enum: HOOK_OUTCOMES, enumName: 'HookOutcome', example: 'deployed' })
  outcome: HookDelivery['outcome'];

  @ApiProperty({ type: String, nullable: true, description: 'Why it was not deployed.', example: null })
  message: string | null;

  @ApiProperty({ ...ID, nullable: true })
  deploymentId: Uuid | null;

  @ApiProperty({ ...ID, nullable: true, description: 'The delivery that this one repeats.', example: null })
  redeliveryOf: Uuid | null;

  @ApiProperty(TIME)
  receivedAt: Date;

  static of({ serviceId: _, ...delivery }: HookDelivery): HookDeliveryDto {
    return delivery;
  }
}

export class HookDeliveriesDto {
  @ApiProperty({ type: [HookDeliveryDto] })
  data: HookDeliveryDto[];
}

export class DeliveryAnswerDto {
  @ApiProperty({ enum: HOOK_OUTCOMES, enumName: 'HookOutcome', example: 'deployed' })
  outcome: HookDelivery['outcome'];

  @ApiProperty({ ...ID, nullable: true })
  deploymentId: Uuid | null;
}
