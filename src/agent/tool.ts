/** A tool for agents, and what all tools have in common: consent, validated input, a budget, fenced results. */
import * as v from 'valibot';
import {
  CancellationError,
  type CancellationToken,
  LanguageModelTextPart,
  type LanguageModelTool,
  type LanguageModelToolInvocationOptions,
  type LanguageModelToolInvocationPrepareOptions,
  LanguageModelToolResult,
  type LogOutputChannel,
  type PreparedToolInvocation,
} from 'vscode';
import { signalOf } from '../platform/cancellation.ts';
import { escapedText } from '../presentation/card.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { isFailure, ServiceError } from '../service/errors.ts';
import type { AgentAccess } from './agentAccess.ts';
import { lines } from './sentences.ts';
import { type CountTokens, estimateTokens, fitToBudget } from './tokenBudget.ts';
import { ToolError, toToolError } from './toolError.ts';
import { fence, inert, newBoundary } from './untrusted.ts';

/** How many problems of an input are named, and how much of each (UTF-16 units). */
const MAX_PROBLEMS = 5;
const MAX_PROBLEM = 150;

/** The result of a tool. What is around the rows is in our own words: of chats, it has only IDs. */
export interface Answer {
  readonly head: string;
  /** Data, as `toRow` makes it; the most important first, because the last ones may not fit. */
  readonly rows: readonly string[];
  /** The first rows as they are to be shown, if not in this order. */
  arrange?(rows: readonly string[]): readonly string[];
  /** What follows the rows, given how many are shown: how to get the others, and what to do with these. */
  foot(shown: number): string;
}

/** What the user is asked before a tool runs. */
export interface Question {
  readonly title: string;
  readonly text: string;
}

export interface Tool<Input> {
  readonly schema: v.GenericSchema<unknown, Input>;
  /** The largest result, in tokens. */
  readonly budget: number;
  /** What the user sees while it runs. */
  progress(input: Input): Promise<string>;
  /** What to ask the user first; undefined if the settings say it already. Reads no messages. */
  question?(input: Input): Promise<Question | undefined>;
  /** @throws ToolError, or an error that {@link toToolError} explains */
  run(input: Input, signal: AbortSignal): Promise<Answer>;
}

/** A tool as VS Code calls it. The input may be anything: VS Code doesn't validate it. */
export class GuardedTool<Input> implements LanguageModelTool<unknown> {
  readonly #tool: Tool<Input>;
  readonly #access: AgentAccess;
  readonly #log: Pick<LogOutputChannel, 'error'>;

  constructor(tool: Tool<Input>, access: AgentAccess, log: Pick<LogOutputChannel, 'error'>) {
    this.#tool = tool;
    this.#access = access;
    this.#log = log;
  }

  /** What is wrong with the call is left to {@link invoke}, whose errors reach the model. */
  async prepareInvocation({
    input,
  }: LanguageModelToolInvocationPrepareOptions<unknown>): Promise<PreparedToolInvocation> {
    const parsed = v.safeParse(this.#tool.schema, input);
    if (!parsed.success || !this.#access.isAvailable) return {};
    const question = await this.#tool.question?.(parsed.output);
    return {
      invocationMessage: escapedText(await this.#tool.progress(parsed.output)),
      ...(question && {
        confirmationMessages: { title: question.title, message: escapedText(question.text) },
      }),
    };
  }

  async invoke(
    { input, tokenizationOptions }: LanguageModelToolInvocationOptions<unknown>,
    token: CancellationToken,
  ): Promise<LanguageModelToolResult> {
    try {
      this.#access.check();
      const parsed = this.#parse(input);
      if (token.isCancellationRequested) throw new CancellationError();
      const answer = await this.#tool.run(parsed, signalOf(token));
      const count: CountTokens = tokenizationOptions
        ? (text) => tokenizationOptions.countTokens(text, token)
        : estimateTokens;
      const budget = Math.min(this.#tool.budget, tokenizationOptions?.tokenBudget ?? Infinity);
      const text = await fitToBudget(answer.rows, renderer(answer), budget, count);
      if (token.isCancellationRequested) throw new CancellationError();
      return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
    } catch (error) {
      if (token.isCancellationRequested || isFailure(error, 'cancelled')) throw new CancellationError();
      // The others say what is wrong with the call, or with the service.
      if (!(error instanceof ToolError || error instanceof ServiceError || error instanceof UserFacingError))
        this.#log.error(error instanceof Error ? error : String(error));
      throw toToolError(error);
    }
  }

  #parse(input: unknown): Input {
    const parsed = v.safeParse(this.#tool.schema, input);
    if (parsed.success) return parsed.output;
    const problems = parsed.issues.slice(0, MAX_PROBLEMS).map((issue) => {
      const path = v.getDotPath(issue);
      const isUnknown = issue.type === 'strict_object' && issue.expected === 'never';
      // It may quote the input.
      const message = isUnknown ? 'Unknown, leave it out' : inert(issue.message, MAX_PROBLEM);
      return path ? `${path}: ${message}` : message;
    });
    throw new ToolError(`The input isn't valid. ${problems.join('; ')}. Correct it and call the tool again.`);
  }
}

function renderer({ head, arrange = (rows) => rows, foot }: Answer) {
  const boundary = newBoundary();
  return (rows: readonly string[], isCut: boolean) =>
    lines(
      head,
      fence(arrange(rows), boundary),
      isCut && 'The end of this row is missing: it is too long.',
      foot(rows.length),
    );
}
