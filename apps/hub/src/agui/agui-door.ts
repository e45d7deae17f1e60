/** Serves one plain AG-UI socket: its first frame is a run's input, everything after it is for nobody. */
import { Inject, Injectable } from '@nestjs/common';
import { newIntake, SESSION_LIMITS, type StreamLine, takeUnread, wsLine } from '@triptych/fanout';
import { inBackground, type Log } from '@triptych/platform';
import { LOG } from '@triptych/platform/nest';
import { type Refusal, type RunAgentInput } from '@triptych/protocol';
import type { WebSocket } from 'ws';
import { refusalOf } from '../http/refusal-of.js';
import { SESSION_TOOLS, type SessionTools } from '../rooms/session-tools.js';
import { RunDoor } from '../runs/run-door.js';
import type { AdmittedPlain } from './agui-upgrade.js';
import { PlainSockets } from './plain-sockets.js';
import { jsonIn } from './read-input.js';
import { refusalEvent } from './refusal-event.js';

@Injectable()
export class AguiDoor {
  constructor(
    @Inject(RunDoor) private readonly runs: RunDoor,
    @Inject(PlainSockets) private readonly sockets: PlainSockets,
    @Inject(SESSION_TOOLS) private readonly tools: SessionTools,
    @Inject(LOG) private readonly log: Log,
  ) {}

  private get limits() {
    return this.tools.limits ?? SESSION_LIMITS;
  }

  open(socket: WebSocket, admitted: AdmittedPlain): void {
    const { actor } = admitted;
    const line = wsLine({ ...this.tools, socket, expiresAt: actor.expiresAt });
    this.sockets.add(line);
    this.tools.doors.addLine('socket', line, actor);
    let frames = 0;
    let taken = newIntake(this.tools.clock.now(), this.limits);
    const take = (bytes: number): void => {
      const { intake, over } = takeUnread(taken, { bytes, now: this.tools.clock.now() });
      taken = intake;
      if (over) line.end('TOO_FAST');
    };
    socket.on('ping', (data) => take(data.length));
    socket.on('message', (data, isBinary) => {
      take((data as Buffer).length);
      frames += 1;
      if (frames === 1) this.begin(line, admitted, isBinary ? undefined : String(data));
      else if (frames > this.limits.framesBurst) line.end('TOO_FAST');
    });
  }

  private begin(line: StreamLine, admitted: AdmittedPlain, text: string | undefined): void {
    const raw = text === undefined ? undefined : jsonIn(text, this.limits.depth);
    const input = this.runs.parse(raw);
    if (input.ok) inBackground(this.log, 'agui', this.serve(line, admitted, input.value));
    else line.end('MISUSE');
  }

  private async serve(line: StreamLine, admitted: AdmittedPlain, input: RunAgentInput): Promise<void> {
    try {
      const answer = await this.runs.run({ ...admitted, input, line });
      if (!answer.ok) refuseOn(line, answer.refusal);
      // Answers were recorded and no run began: there is nothing to tell.
      else if (answer.value) line.end();
    } catch (error) {
      refuseOn(line, refusalOf(error, this.log, { door: 'agui' }));
    }
  }
}

const refuseOn = (line: StreamLine, no: Refusal): void => {
  line.send([{ json: JSON.stringify(refusalEvent(no)) }]);
  line.end();
};
