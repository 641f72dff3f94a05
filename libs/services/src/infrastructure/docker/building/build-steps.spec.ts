import { BuildSteps } from './build-steps.js';

describe('the steps of a build', () => {
  it('name the layers that they leave, and not the images that they begin with', () => {
    const steps = new BuildSteps();
    const said = [
      ...['Step 1/4 : FROM node:22 AS build\n', ' ---> 111111111111\n', 'Step 2/4 : RUN npm ci\n'],
      ...[' ---> Running in 2222222222aa\n', ' ---> not a layer\n', 'Removing intermediate container 2222222222aa\n'],
      ...[' ---> 333333333333\n', 'Step 3/4 : FROM alpine\n', ' ---> 444444444444\n'],
      ...['Step 4/4 : COPY --from=build /a /a\n', ' ---> Using cache\n', ' ---> 555555555555\n'],
    ];
    const begun = said.filter((text) => steps.read(text));
    expect(steps.layers).toEqual(['333333333333', '555555555555']);
    expect(begun).toEqual([' ---> Running in 2222222222aa\n']);
    expect(steps.tail).toContain('Using cache');
  });
});
