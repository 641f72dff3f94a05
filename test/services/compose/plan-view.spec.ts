import { viewPlan } from '../../../libs/services/src/application/intake/plan-view.js';
import { plan } from './planning.js';

describe('the view of a plan', () => {
  const view = viewPlan(
    plan(
      'services: {web: {image: "nginx:1", environment: {A: canary, B: "${secret:X}"}, labels: {l: v}, secrets: [s]}}\nsecrets: {s: {content: canary}}\n',
    ),
  );

  it('names the variables and labels', () => {
    expect(view).toMatchObject({
      containers: [{ name: 'web', environment: { A: '[redacted]', B: '[redacted]' }, labels: { l: 'v' } }],
    });
  });

  it('shows no value of the environment and no content of a secret', () => {
    expect(JSON.stringify(view)).not.toContain('canary');
  });
});
