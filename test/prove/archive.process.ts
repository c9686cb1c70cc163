/** A process that archives a chat and kills itself before a statement: `node archive.process.ts JOB`. */
import { DatabaseSync } from 'node:sqlite';
import { ArchiveDatabase } from '../../src/chats/archive/archiveDatabase.ts';
import { catchUp } from '../../src/chats/archive/archiver.ts';
import type { SqliteDatabase } from '../../src/chats/archive/sql.ts';
import { Client } from '../../src/service/client.ts';
import { remote } from '../unit/chats/archive/archives.ts';

export interface ArchiveJob {
  readonly path: string;
  readonly chat: { service: string; kind: 'group'; id: string; botId: string };
  readonly webUrl: string;
  readonly openApiUrl: string;
  readonly token: string;
  /** 0 for none. */
  readonly killedBefore: number;
}

const job: ArchiveJob = JSON.parse(process.argv[2] ?? '');
let statements = 0;

/** Called before every change: in between, it makes no difference when the process is killed. */
function step(): void {
  if (++statements === job.killedBefore) process.kill(process.pid, 'SIGKILL');
}

function killable(database: DatabaseSync): SqliteDatabase {
  return {
    exec(sql) {
      step();
      database.exec(sql);
    },
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        run(...values) {
          step();
          return statement.run(...values);
        },
        get: (...values) => statement.get(...values),
        all: (...values) => statement.all(...values),
        iterate: (...values) => statement.iterate(...values),
      };
    },
    close: () => database.close(),
  };
}

const archive = new ArchiveDatabase(killable(new DatabaseSync(job.path)));
const { webUrl, openApiUrl, token, chat } = job;
const client = new Client({ webUrl, openApiUrl, callsPerSecond: 1000 });
const number = archive.addChat(chat);
await catchUp(
  number,
  {
    archive: remote(archive),
    list: (page, signal) => client.messages(token, chat, page, signal),
    onPage: () => {},
    now: Date.now,
  },
  new AbortController().signal,
);
console.log(statements);
