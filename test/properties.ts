// Properties are tried on the same 100 inputs in each run of the tests. `npm run prove -- properties` tries more, and others.
//   PROPERTY_SEED=1    which inputs
//   PROPERTY_RUNS=100  how many
import fc from 'fast-check';

const { PROPERTY_SEED = '1', PROPERTY_RUNS = '100' } = process.env;
fc.configureGlobal({
  seed: Number(PROPERTY_SEED),
  numRuns: Number(PROPERTY_RUNS),
  includeErrorInReport: true,
});
