/** Answers many decisions in one request: each is judged by itself, and none keeps another from being made. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '@triptych/access';
import type { Approvals } from '@triptych/approvals';
import { APPROVALS } from '@triptych/assembly/nest';
import {
  httpStatusOf,
  isPrintableId,
  ok,
  refuse,
  type BulkReply,
  type BulkResult,
  type Result,
  type TaskView,
} from '@triptych/protocol';
import { parseObject } from '../http/parse-object.js';
import { Once } from './once.js';
import { TaskDoor } from './task-door.js';

type Item = Readonly<Record<string, unknown>> & { readonly taskId: string };

/** What a person has looked through at a time; each is judged on its own. */
const MAX_ITEMS = 100;

const refuseAt = (pointer: string, message?: string): Result<never> =>
  refuse('INVALID_INPUT', { ...(message === undefined ? {} : { message }), details: { pointer } });

const parseItem = (raw: unknown, nth: number): Result<Item> => {
  const item = parseObject(raw);
  if (!item.ok) return refuseAt(`/items/${nth}`);
  const { taskId } = item.value;
  return typeof taskId === 'string' ? ok({ ...item.value, taskId }) : refuseAt(`/items/${nth}/taskId`);
};

/** Results go by the task's name, so each must have one, once. */
const parseItems = (body: unknown): Result<readonly Item[]> => {
  const whole = parseObject(body);
  if (!whole.ok) return whole;
  const { items: raw } = whole.value;
  if (!Array.isArray(raw) || raw.length === 0) return refuseAt('/items');
  if (raw.length > MAX_ITEMS) return refuse('PAYLOAD_TOO_LARGE', { details: { limit: 'MAX_ITEMS' } });
  const items: Item[] = [];
  for (const [nth, one] of raw.entries()) {
    const item = parseItem(one, nth);
    if (!item.ok) return item;
    if (items.some(({ taskId }) => taskId === item.value.taskId))
      return refuseAt(`/items/${nth}/taskId`, 'One task cannot be decided twice in one request.');
    items.push(item.value);
  }
  return ok(items);
};

const resultOf = (taskId: string, answer: Result<TaskView>): BulkResult =>
  answer.ok
    ? { taskId, status: 200, task: answer.value }
    : { taskId, status: httpStatusOf(answer.refusal.code), error: answer.refusal };

/** Tasks asked together share all but the last part of their name. */
const batchOf = ({ taskId }: Item): string => taskId.slice(0, taskId.lastIndexOf('.'));

@Injectable()
export class BulkDoor {
  constructor(
    @Inject(APPROVALS) private readonly approvals: Approvals,
    @Inject(TaskDoor) private readonly tasks: TaskDoor,
    @Inject(Once) private readonly once: Once,
  ) {}

  async decide(actor: Actor, body: unknown, key: string | undefined): Promise<Result<BulkReply>> {
    const items = parseItems(body);
    if (!items.ok) return items;
    const work = async () => ok({ results: await this.all(items.value, (item) => this.ask(actor, item)) });
    if (key === undefined) return work();
    if (!isPrintableId(key)) return refuseAt('/idempotencyKey');
    const { again, answer } = await this.once.do({ actor, key, request: ['bulk', items.value] }, work);
    return answer.ok && again ? this.repeated(actor, items.value, answer.value) : answer;
  }

  /** What was done is not done again, and is shown as the caller may see it now; what was refused is judged anew. */
  private async repeated(
    actor: Actor,
    items: readonly Item[],
    { results }: BulkReply,
  ): Promise<Result<BulkReply>> {
    const done = new Set(results.filter(({ status }) => status === 200).map(({ taskId }) => taskId));
    const again = async (item: Item): Promise<BulkResult> =>
      done.has(item.taskId)
        ? resultOf(item.taskId, await this.approvals.get(actor, item.taskId))
        : this.ask(actor, item);
    return ok({ results: await this.all(items, again) });
  }

  private async ask(actor: Actor, item: Item): Promise<BulkResult> {
    return resultOf(item.taskId, await this.tasks.answer(actor, 'decide', item));
  }

  /** In the order given. Tasks of one batch go one after another: together they would only stand in each other's way. */
  private async all(
    items: readonly Item[],
    answer: (item: Item) => Promise<BulkResult>,
  ): Promise<readonly BulkResult[]> {
    const results = new Map<string, BulkResult>();
    const inTurn = async (some: readonly Item[]): Promise<void> => {
      for (const item of some) results.set(item.taskId, await answer(item));
    };
    const batches = [...new Set(items.map(batchOf))];
    await Promise.all(batches.map((batch) => inTurn(items.filter((item) => batchOf(item) === batch))));
    return items.flatMap(({ taskId }) => results.get(taskId) ?? []);
  }
}
