import assert from 'node:assert/strict';
import { formatRoughDuration } from '../../../src/presentation/formats.ts';

describe('A rough duration', () => {
  it('has tens of seconds, or minutes', () => {
    const of = (...seconds: number[]) => seconds.map((one) => formatRoughDuration(one * 1000));
    assert.deepEqual(of(1, 10, 11, 50), ['10 seconds', '10 seconds', '20 seconds', '50 seconds']);
    assert.deepEqual(of(51, 89, 91, 7200), ['1 minute', '1 minute', '2 minutes', '120 minutes']);
  });
});
