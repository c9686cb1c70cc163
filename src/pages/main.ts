/**
 * The script of every page. All pages share one, because VS Code fetches each file of a page by itself, and that takes
 * longer than reading what other pages need. It shares modules with the extension. A page names them, so that VS Code
 * fetches all at once.
 */
import { pageName } from './common/host.ts';
import { showDownload } from './download/app.tsx';
import { showHistory } from './history/app.tsx';
import { showPreview } from './preview/app.tsx';
import { showReplies } from './replies/app.tsx';
import { showReport } from './report/app.tsx';
import { showSearch } from './search/app.tsx';
import { showStatistics } from './statistics/app.tsx';

const show = {
  download: showDownload,
  history: showHistory,
  preview: showPreview,
  replies: showReplies,
  report: showReport,
  search: showSearch,
  statistics: showStatistics,
};
show[pageName]();
