/** The two forms in which a response carries events: Server-Sent Events, and AG-UI's protobuf for those who ask for it. */
import { AGUI_MEDIA_TYPE, EventEncoder } from '@ag-ui/encoder';
import { knownOnly, type AguiEvent } from '@triptych/protocol';
import { onceEach } from '../core/once-each.js';
import type { StreamEvent } from '../core/stream-line.js';

export interface StreamEncoding {
  readonly contentType: string;
  encode(events: readonly StreamEvent[]): Buffer;
  /** Says nothing, and shows that the line lives. */
  readonly sign?: Buffer;
}

/** Line breaks in JSON text are space between tokens; in a stream they would end the field. */
const oneLine = (json: string): string => (/[\r\n]/.test(json) ? json.replaceAll(/[\r\n]+/g, ' ') : json);

const sseFrame = ({ json, id, name }: StreamEvent): string =>
  `${name === undefined ? '' : `event: ${name}\n`}${id === undefined ? '' : `id: ${id}\n`}data: ${oneLine(json)}\n\n`;

export const EVENT_STREAM: StreamEncoding = {
  contentType: 'text/event-stream',
  encode: onceEach((events) => Buffer.from(events.map(sseFrame).join(''))),
  sign: Buffer.from(': hb\n\n'),
};

type Encodable = Parameters<EventEncoder['encodeProtobuf']>[0];

const encoder = new EventEncoder();

/** There are fields for what AG-UI 1.0 knows and for nothing else. */
const protoFrames = ({ json }: StreamEvent): readonly Uint8Array[] => {
  const event = knownOnly(JSON.parse(json) as AguiEvent);
  return event === undefined ? [] : [encoder.encodeProtobuf(event as Encodable)];
};

export const PROTOBUF: StreamEncoding = {
  contentType: AGUI_MEDIA_TYPE,
  encode: onceEach((events) => Buffer.concat(events.flatMap(protoFrames))),
};

/** Protobuf for who takes nothing else: a wildcard comes from tools and proxies that could not read it. */
export const encodingFor = (accept: string | undefined): StreamEncoding => {
  const [only = '', ...others] = (accept ?? '').split(',');
  const isProto = only.split(';', 1)[0]?.trim().toLowerCase() === AGUI_MEDIA_TYPE;
  return isProto && others.length === 0 ? PROTOBUF : EVENT_STREAM;
};
