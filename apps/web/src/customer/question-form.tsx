/** A question in the flow of talk: a form, or yes and no; everything open is answered together. */
import type { Interrupt, Refusal, ResumeEntry } from '@triptych/protocol';
import { useEffect, useId, useState } from 'react';
import { LazySchemaForm, prefetchForms } from '../shared/forms/lazy-schema-form.js';
import { Icon } from '../shared/icon.js';
import { Ring } from '../shared/marks.js';
import { useSurface } from '../shared/surface-context.js';
import { useNow } from '../shared/use-now.js';
import { entriesOf, isYesNo, schemaOf, type Answer } from './core/answers.js';
import { closesAt } from './core/waiting.js';
import { useCustomerText } from './texts.js';

const MINUTE = 60_000;

interface QuestionProps {
  readonly question: Interrupt;
  readonly answer: Answer | undefined;
  readonly onAnswer: (answer: Answer) => void;
  readonly showProblems: boolean;
}

const YesNo = ({ question, answer, onAnswer }: Omit<QuestionProps, 'showProblems'>) => {
  const t = useCustomerText();
  const chosen = (answer?.value as { approved?: boolean } | undefined)?.approved;
  const option = (approved: boolean, label: string) => (
    <label className={chosen === approved ? 'opt on' : 'opt'}>
      <input
        className="sr"
        type="radio"
        name={question.id}
        checked={chosen === approved}
        onChange={() => onAnswer({ value: { approved }, fitting: true })}
      />
      {label}
    </label>
  );
  return (
    <div className="opts" role="radiogroup" aria-label={question.message ?? t('c.ask')}>
      {option(true, t('c.ask.yes'))}
      {option(false, t('c.ask.no'))}
    </div>
  );
};

const Question = ({ question, answer, onAnswer, showProblems }: QuestionProps) => {
  if (isYesNo(question)) return <YesNo question={question} answer={answer} onAnswer={onAnswer} />;
  return (
    <LazySchemaForm
      id={`ask-${question.id}`}
      schema={schemaOf(question)}
      value={answer?.value}
      onChange={(value, fitting) => onAnswer({ value, fitting })}
      showProblems={showProblems}
    />
  );
};

const Deadline = ({ question }: { question: Interrupt }) => {
  const t = useCustomerText();
  const { formats } = useSurface();
  const now = useNow(MINUTE);
  const at = closesAt(question);
  if (at === undefined) return null;
  const when = formats.when(at, now);
  return <p className="hint">{at <= now ? t('c.ask.late', { when }) : t('c.ask.by', { when })}</p>;
};

interface QuestionFormProps {
  readonly questions: readonly Interrupt[];
  /** Answers with a refusal when the hub did not take them. */
  readonly onSend: (entries: readonly ResumeEntry[]) => Promise<Refusal | undefined>;
}

export const QuestionForm = ({ questions, onSend }: QuestionFormProps) => {
  const t = useCustomerText();
  const title = useId();
  const [answers, setAnswers] = useState<ReadonlyMap<string, Answer>>(new Map());
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  useEffect(prefetchForms, []);
  const entries = entriesOf(questions, answers);
  const submit = async () => {
    setTried(true);
    if (entries === undefined || sending) return;
    setSending(true);
    const refusal = await onSend(entries);
    setSending(false);
    setProblem(refusal?.message);
  };
  return (
    <form
      className="ask"
      data-whole
      aria-labelledby={title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {questions.map((question, index) => (
        <div className="ask-one" key={question.id}>
          <header>
            <h3 id={index === 0 ? title : undefined}>{question.message ?? t('c.ask')}</h3>
            <Deadline question={question} />
          </header>
          <Question
            question={question}
            answer={answers.get(question.id)}
            onAnswer={(answer) => setAnswers((old) => new Map(old).set(question.id, answer))}
            showProblems={tried}
          />
        </div>
      ))}
      {problem && (
        <p className="err-text" role="alert">
          <Icon name="alert" />
          <span>{problem}</span>
        </p>
      )}
      <div className="acts">
        <button type="submit" className="btn primary lg" aria-disabled={sending || undefined}>
          {sending && <Ring />}
          {t(sending ? 'c.ask.sending' : 'c.ask.send')}
        </button>
      </div>
    </form>
  );
};
