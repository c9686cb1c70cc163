/** The tools for agents, with what all have in common: consent, validated input, a budget, fenced results. Loaded on first use. */
import * as v from 'valibot';
import {
  CancellationError,
  LanguageModelTextPart,
  type LanguageModelTool,
  LanguageModelToolResult,
  type LogOutputChannel,
} from 'vscode';
import type { AgentRow } from '../markup/safeText.ts';
import { signalOf } from '../presentation/dialogs.ts';
import { UserFacingError } from '../presentation/errorText.ts';
import { escapedText } from '../presentation/shown.ts';
import { isFailure, ServiceError, toError } from '../service/errors.ts';
import { activityTool } from './activityTool.ts';
import { AgentAccess } from './agentAccess.ts';
import { deliveryTool } from './deliveryTool.ts';
import { draftTool } from './draftTool.ts';
import { listTool } from './listTool.ts';
import { lookUpTool } from './lookUpTool.ts';
import { readTool } from './readTool.ts';
import { searchTool } from './searchTool.ts';
import { type AgentHost, type Answer, lines, type Tool } from './tool.ts';
import { ToolError, toToolError } from './toolError.ts';
import { beginningOf, fence, inert, newBoundary } from './untrusted.ts';

/** How many problems of an input are named, and how much of each (UTF-16 units). */
const MAX_PROBLEMS = 5;
const MAX_PROBLEM = 150;

/** The tools by their names without `botchats_`. */
export function createTools(host: AgentHost) {
  const access = new AgentAccess(host.settings);
  const guard = <Input>(tool: Tool<Input>) => guarded(tool, access, host.log);
  return {
    list: guard(listTool(host, access)),
    look_up: guard(lookUpTool(host, access)),
    read: guard(readTool(host, access)),
    search: guard(searchTool(host, access)),
    activity: guard(activityTool(host, access)),
    draft: guard(draftTool(host, access)),
    delivery: guard(deliveryTool(host, access)),
  };
}

/** A tool as VS Code calls it. The input may be anything: VS Code doesn't validate it. */
function guarded<Input>(tool: Tool<Input>, access: AgentAccess, log: Pick<LogOutputChannel, 'error'>) {
  return {
    /** A wrong call isn't reported here, but by {@link invoke}, whose errors reach the model. */
    async prepareInvocation({ input }) {
      const parsed = v.safeParse(tool.schema, input);
      if (!parsed.success || !access.isAvailable) return {};
      const question = await tool.question?.(parsed.output);
      return {
        invocationMessage: escapedText(await tool.progress(parsed.output)),
        ...(question && {
          confirmationMessages: { title: question.title, message: escapedText(question.text) },
        }),
      };
    },

    async invoke({ input, tokenizationOptions }, token) {
      try {
        access.check();
        const parsed = parse(tool.schema, input);
        if (token.isCancellationRequested) throw new CancellationError();
        const answer = await tool.run(parsed, signalOf(token));
        const count: CountTokens = tokenizationOptions
          ? (text) => tokenizationOptions.countTokens(text, token)
          : estimateTokens;
        const budget = Math.min(tool.budget, tokenizationOptions?.tokenBudget ?? Infinity);
        const text = await fitToBudget(answer.rows, renderer(answer), budget, count);
        if (token.isCancellationRequested) throw new CancellationError();
        return new LanguageModelToolResult([new LanguageModelTextPart(text)]);
      } catch (error) {
        if (token.isCancellationRequested || isFailure(error, 'cancelled')) throw new CancellationError();
        // Other errors say what is wrong with the call, or with the service.
        if (!(error instanceof ToolError || error instanceof ServiceError || error instanceof UserFacingError))
          log.error(toError(error));
        throw toToolError(error);
      }
    },
  } satisfies LanguageModelTool<unknown>;
}

function parse<Input>(schema: Tool<Input>['schema'], input: unknown): Input {
  const parsed = v.safeParse(schema, input);
  if (parsed.success) return parsed.output;
  const problems = parsed.issues.slice(0, MAX_PROBLEMS).map((issue) => {
    const path = inert(v.getDotPath(issue) ?? '', MAX_PROBLEM);
    const isUnknown = issue.type === 'strict_object' && issue.expected === 'never';
    // The message may quote the input, as the path may, so that both are made inactive.
    const message = isUnknown ? 'Unknown, leave it out' : inert(issue.message, MAX_PROBLEM);
    return path ? `${path}: ${message}` : message;
  });
  throw new ToolError(`The input isn't valid. ${problems.join('; ')}. Correct it and call the tool again.`);
}

function renderer({ head, arrange = (rows) => rows, foot }: Answer) {
  const boundary = newBoundary();
  return (rows: readonly AgentRow[], isCut: boolean) =>
    lines(
      head,
      fence(arrange(rows), boundary),
      isCut && 'The end of this row is missing: it is too long.',
      foot(rows.length),
    );
}

/** Counts the tokens of a text. */
type CountTokens = (text: string) => number | PromiseLike<number>;

/**
 * About how many tokens a text has, if VS Code doesn't count them: a tokenizer is larger than the whole extension. Tokenizers
 * make one of three or four letters, or of a Chinese character (3 bytes).
 */
export const estimateTokens: CountTokens = (text) => Math.ceil(new TextEncoder().encode(text).length / 3);

/** A row is shown cut off if at least this much of it fits (UTF-16 units). */
const MIN_LENGTH = 80;

/** Makes a text of some rows. If `isCut`, there's only one row, without its end. */
type Render = (rows: readonly AgentRow[], isCut: boolean) => string;

/**
 * A text of as many of the first `rows` as fit, or of the beginning of the first one. If that doesn't fit either, a text
 * that says so: one without rows would offer the same rows again.
 */
export async function fitToBudget(
  rows: readonly AgentRow[],
  render: Render,
  budget: number,
  count: CountTokens,
): Promise<string> {
  const fits = async (text: string) => (await count(text)) <= budget;
  const withFirst = (length: number) => render(rows.slice(0, length), false);
  if (await fits(withFirst(rows.length))) return withFirst(rows.length);
  const shown = await largest(0, rows.length - 1, (length) => fits(withFirst(length)));
  if (shown > 0) return withFirst(shown);
  const [first = ''] = rows;
  const cut = (length: number) => render([beginningOf(first, length)], true);
  if (first.length > MIN_LENGTH && (await fits(cut(MIN_LENGTH))))
    return cut(await largest(MIN_LENGTH, first.length - 1, (length) => fits(cut(length))));
  return `A budget of ${budget} tokens is too small for this result. Call the tool again with more.`;
}

/** The largest number from `low` to `high` that fits, given that all smaller ones do; `low` if none does. */
async function largest(low: number, high: number, isTrue: (number: number) => Promise<boolean>): Promise<number> {
  let [least, most] = [low, Math.max(low, high)];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (await isTrue(middle)) least = middle;
    else most = middle - 1;
  }
  return least;
}
