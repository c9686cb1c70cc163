import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { LANGUAGES } from '../../../src/lookup/languages.ts';

describe('Languages with hovers', () => {
  it('wake the extension, but for JSON, so that a hover works where nothing else has', () => {
    const { activationEvents }: { activationEvents: string[] } = JSON.parse(readFileSync('package.json', 'utf8'));
    const awake = activationEvents.filter((event) => event.startsWith('onLanguage:'));
    assert.deepEqual(
      awake,
      LANGUAGES.filter((language) => !language.startsWith('json')).map((language) => `onLanguage:${language}`),
    );
  });
});
