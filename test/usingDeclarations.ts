/** Lets tests use `using` on the Node of the oldest supported VS Code, which doesn't know it: esbuild writes it otherwise. */
import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const USING = /^\s*(?:await )?using \w+ =/m;

if (!isSupported())
  registerHooks({
    load(url, context, next) {
      const source = url.startsWith('file:') && url.endsWith('.ts') ? readFileSync(fileURLToPath(url), 'utf8') : '';
      if (!USING.test(source)) return next(url, context);
      // Loaded only here: it doesn't start everywhere.
      const { transformSync }: typeof import('esbuild') = createRequire(import.meta.url)('esbuild');
      const { code } = transformSync(source, { loader: 'ts', target: 'es2022', sourcefile: fileURLToPath(url) });
      return { format: 'module', source: code, shortCircuit: true };
    },
  });

function isSupported(): boolean {
  try {
    return new Function('{ using _ = null; } return true;')() === true;
  } catch {
    return false;
  }
}
