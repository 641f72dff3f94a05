import { Injectable } from '@nestjs/common';
import { Clock } from '#kernel/time/clock';
import type { AnalysisEventType } from '../domain/analysis-events.js';
import type { Analysis } from '../domain/analysis.js';
import { AnalysisEvents } from './ports/analysis-events.js';

/** Appends the events of an analysis for its subscribers, in the transaction of the change. */
@Injectable()
export class AnalysisJournal {
  constructor(
    private readonly events: AnalysisEvents,
    private readonly clock: Clock,
  ) {}

  /** Appends the status and, if the analysis has ended, its outcome. */
  async note(analysis: Analysis): Promise<void> {
    const { id, status, commitSha, error, result } = analysis.state;
    await this.append(analysis, 'analysis.status', { status, commit_sha: commitSha });
    if (status === 'completed') await this.append(analysis, 'analysis.completed', { analysis_id: id, result });
    if (status === 'failed') await this.append(analysis, 'analysis.failed', { analysis_id: id, error });
  }

  /** Appends a step that was reached. */
  async progress(analysis: Analysis, step: string, message: string): Promise<void> {
    await this.append(analysis, 'analysis.progress', { step, message });
  }

  private async append({ state }: Analysis, type: AnalysisEventType, data: Record<string, unknown>): Promise<void> {
    const event = { analysisId: state.id, type, at: this.clock.now(), data: { analysis_id: state.id, ...data } };
    await this.events.append(event);
  }
}
