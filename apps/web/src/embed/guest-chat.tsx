/** The customer's conversations inside somebody else's page: whose they are is the page's to say. */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Conversations } from '../customer/conversations.js';
import { PlaceContext } from '../customer/place.js';
import { UNDER_REVIEW } from '../customer/core/waiting.js';
import type { Standing } from '../customer/core/thread-standing.js';
import { Announcer } from '../shared/announcer.js';
import { ConnectionLine } from '../shared/connection-line.js';
import { formatsFor } from '../shared/formats.js';
import { Icon } from '../shared/icon.js';
import { LanguageContext, useLanguage } from '../shared/language.js';
import { Ring } from '../shared/marks.js';
import { SurfaceContext, useSurface, type SurfaceTools } from '../shared/surface-context.js';
import { chooseLanguage } from '../shared/texts/catalogue.js';
import { useConnection } from '../shared/use-connection.js';
import { useSharedText } from '../shared/use-shared-text.js';
import type { ChatProps } from './chat-props.js';
import { connectionOf } from './connection-words.js';
import { useEmbedText } from './texts.js';
import { useGuest, type Guest } from './use-guest.js';
import { useGuestPlace } from './use-guest-place.js';

export interface GuestChatProps extends ChatProps {
  /** What tells this chat from others on the page. */
  readonly name: string;
  /** What the page around is written in. */
  readonly pageLanguage: string | null;
}

/** The page has not said enough to begin. */
const Unset = ({ missing }: { missing: 'hub' | 'source' }) => {
  const t = useEmbedText();
  return (
    <div className="fullpage">
      <div className="emptyx">
        <Icon name="lock" />
        <b>{t(`e.no${missing}`)}</b>
        <span>{t(`e.no${missing}.why`)}</span>
      </div>
    </div>
  );
};

/** Nobody is known yet; a line says so when something stands in the way. */
const Opening = () => {
  const t = useSharedText();
  const { client } = useSurface();
  const { state } = useConnection(client);
  return (
    <div className="fullpage">
      {state !== 'closed' && (
        <p className="st live">
          <Ring />
          {t('x.boot')}
        </p>
      )}
      <div className="opening-line">
        <ConnectionLine />
      </div>
    </div>
  );
};

const Talking = ({ keptAs, follows, ...said }: ChatProps & { keptAs: string; follows: boolean }) => {
  const { onStatus } = said;
  const [leftOpen] = useState(follows ? said.threadId : undefined);
  const threadId = said.threadId === leftOpen ? undefined : said.threadId;
  const place = useGuestPlace(keptAs, { ...said, threadId });
  const onStanding = useCallback(
    (standing: Standing | undefined) => {
      if (standing === undefined) return onStatus?.(undefined);
      const { threadId, status, openInterrupts } = standing;
      onStatus?.({ threadId, status, asksYou: openInterrupts.some(({ reason }) => reason !== UNDER_REVIEW) });
    },
    [onStatus],
  );
  return (
    <PlaceContext value={place}>
      <Conversations onStanding={onStanding} />
    </PlaceContext>
  );
};

/** Where drafts and places are kept: by hub, person and chat. */
const keptName = (hub: string, subject: string, name: string): string =>
  [new URL(hub).host, subject, name].filter(Boolean).join('.');

const Signed = ({ guest, ...props }: GuestChatProps & { guest: Guest }) => {
  const language = useLanguage();
  const { client, api, subject, follows } = guest;
  const { hub, name, onConnection } = props;
  const connection = connectionOf(useConnection(client));
  useEffect(() => onConnection?.(connection), [onConnection, connection]);
  const keptAs = keptName(hub, subject ?? '', name);
  const tools = useMemo<SurfaceTools>(() => {
    const me = { sub: subject ?? '', name: subject ?? '' };
    const formats = formatsFor(language);
    const again = () => client.start();
    return { client, api, me, authMode: 'jwt', surface: 'customer', language, formats, keptAs, again };
  }, [client, api, subject, language, keptAs]);
  return (
    <SurfaceContext value={tools}>
      {subject === undefined ? <Opening /> : <Talking key={keptAs} {...props} {...{ keptAs, follows }} />}
    </SurfaceContext>
  );
};

const missingOf = ({ hub, getToken }: ChatProps): 'hub' | 'source' | undefined => {
  if (!/^(https?|wss?):/u.test(hub) || !URL.canParse(hub)) return 'hub';
  return getToken === undefined ? 'source' : undefined;
};

export const GuestChat = (props: GuestChatProps) => {
  const { hub, getToken, language: asked, pageLanguage } = props;
  const missing = missingOf(props);
  const guest = useGuest(hub, missing === undefined ? getToken : undefined);
  const language = chooseLanguage(asked ?? null, pageLanguage, window.navigator.languages);
  return (
    <LanguageContext value={language}>
      <Announcer>
        <div className="surface" lang={language === 'zh' ? 'zh-Hans' : 'en'}>
          {missing !== undefined && <Unset missing={missing} />}
          {missing === undefined && guest && <Signed {...props} guest={guest} />}
        </div>
      </Announcer>
    </LanguageContext>
  );
};
