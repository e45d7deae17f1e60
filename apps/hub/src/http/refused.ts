/** Carries a refusal through Nest to the one filter that writes it. */
import { HttpException } from '@nestjs/common';
import { httpStatusOf, type Refusal } from '@triptych/protocol';

export class Refused extends HttpException {
  constructor(readonly refusal: Refusal) {
    super({ error: refusal }, httpStatusOf(refusal.code));
  }
}
