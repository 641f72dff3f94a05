import { eventually } from '../docker/eventually.js';
import type { HttpClient } from '../http/http-client.js';

/** @param area `/portal` for customers; empty for administrators */
export function askForAnalysis(client: HttpClient, repoUrl: string, more: object = {}, area = '') {
  return client.post(`/api/v1${area}/analyze/gitea`, { repo_url: repoUrl, ...more });
}

/** @returns the analysis once it is completed or has failed */
export function untilAnalysed(client: HttpClient, id: string, area = '') {
  return eventually(
    async () => (await client.get(`/api/v1${area}/analyze/${id}`)).body,
    ({ status }) => status === 'completed' || status === 'failed',
    25_000,
  );
}
