import type { Directory } from '../../directory/directory.ts';

type Listener = Parameters<Directory['onDidChange']>[0];

/** Listens to changes of the directory that is in use. */
export class DirectoryListener {
  readonly #onChange: Listener;
  #directory: Directory | undefined;
  #stop: (() => void) | undefined;

  constructor(onChange: Listener) {
    this.#onChange = onChange;
  }

  /** Listens to this directory instead of another one. */
  use(directory: Directory): void {
    if (directory === this.#directory) return;
    this.dispose();
    this.#directory = directory;
    this.#stop = directory.onDidChange(this.#onChange);
  }

  dispose(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#directory = undefined;
  }
}
