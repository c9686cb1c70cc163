/** The page's own texts. */
import type { PreviewWords } from '../../protocol/preview.ts';
import { readStrings } from '../common/host.ts';

export const strings = readStrings<PreviewWords>('words');
