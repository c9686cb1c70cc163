/** Threads beside the extension host's own, for work that would block it. */
import type { Uri } from 'vscode';
import { toError } from '../service/errors.ts';
import { builtin } from './node.ts';

/** The other side of a thread. Messages are structured clones. */
interface WorkerPort {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

export interface WorkerThread extends WorkerPort {
  /** The thread has ended: it was stopped, or crashed. */
  onExit(listener: (error: Error | undefined) => void): void;
  stop(): Promise<unknown>;
}

/** The parts of `node:worker_threads` that are used here. */
interface NodePort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): void;
}
interface NodeWorker extends NodePort {
  on(event: 'message' | 'error' | 'exit', listener: (value: unknown) => void): void;
  terminate(): Promise<unknown>;
  unref(): void;
}
interface NodeThreads {
  Worker: new (file: string, options: { workerData: unknown }) => NodeWorker;
  parentPort: NodePort | null;
  workerData: unknown;
}

const threads = () => builtin('node:worker_threads') as NodeThreads | undefined;

/** Runs a script of the extension in a thread of its own; undefined in a host without Node. */
export function startWorker(script: Uri, data: unknown): WorkerThread | undefined {
  const { Worker } = threads() ?? {};
  if (!Worker) return undefined;
  const worker = new Worker(script.fsPath, { workerData: data });
  // The thread must not keep a window alive that is closing.
  worker.unref();
  let failure: Error | undefined;
  worker.on('error', (error) => {
    failure = toError(error);
  });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (listener) => worker.on('message', listener),
    onExit: (listener) => worker.on('exit', () => listener(failure)),
    stop: () => worker.terminate(),
  };
}

/** In a worker: the thread that has started it, and the data from there. @throws Error in any other thread */
export function workerParent(): WorkerPort & { readonly data: unknown } {
  const { parentPort, workerData } = threads() ?? {};
  if (!parentPort) throw new Error('This script runs in a worker.');
  return {
    post: (message) => parentPort.postMessage(message),
    onMessage: (listener) => parentPort.on('message', listener),
    data: workerData,
  };
}
