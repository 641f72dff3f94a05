/** The text that a deployment left, live while it runs. */
export function DeploymentLog(_: { deploymentId: string; open: boolean }) {
  return null;
}
