/** Carries a refusal through Nest to the one filter that writes it. */
import { HttpException } from '@nestjs/common';
import { httpStatusOf, type Refusal, type Result } from '@triptych/protocol';

export class Refused extends HttpException {
  constructor(readonly refusal: Refusal) {
    super({ error: refusal }, httpStatusOf(refusal.code));
  }
}

/** The value, for doors that write their response themselves. */
export const valueOf = <T>(answer: Result<T>): T => {
  if (!answer.ok) throw new Refused(answer.refusal);
  return answer.value;
};
