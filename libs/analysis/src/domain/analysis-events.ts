export const ANALYSIS_EVENT_TYPES = [
  'analysis.status',
  'analysis.progress',
  'analysis.completed',
  'analysis.failed',
] as const;
export type AnalysisEventType = (typeof ANALYSIS_EVENT_TYPES)[number];
