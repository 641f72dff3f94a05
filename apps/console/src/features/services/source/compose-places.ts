/** Whether the API means a place of the compose file. The empty path is the file as a whole. */
export const isOfFile = (path: string): boolean =>
  path === '' || /^\/(composeYaml|services|volumes|networks)/.test(path);
