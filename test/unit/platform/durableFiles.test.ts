import { diskFiles } from '../../../src/platform/diskFiles.ts';
import { temporaryPath } from '../../host/temporary.ts';
import { memoryFiles } from '../../prove/memoryFiles.ts';
import { describeDurableFiles } from './durableFilesContract.ts';

describeDurableFiles('on a disk', async () => {
  const folder = temporaryPath('files');
  return async () => diskFiles(folder);
});

// The proofs rely on them.
describeDurableFiles('in memory', async () => {
  const files = memoryFiles();
  return async () => files;
});
