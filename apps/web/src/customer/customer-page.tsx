/** The customer's own page: what is open is in its address. */
import { useMemo } from 'react';
import { addressWith, goTo, useUrlParam } from '../shared/url-state.js';
import { useSharedText } from '../shared/use-shared-text.js';
import { LanguageSwitch, WhoAmI } from '../shared/who-am-i.js';
import { Mark } from '../shared/marks.js';
import { Conversations } from './conversations.js';
import { PlaceContext, type Place } from './place.js';
import { useCustomerText } from './texts.js';

const open = (threadId: string | undefined): void => goTo({ thread: threadId });
const addressOf = (threadId: string): string =>
  addressWith(window.location.pathname + window.location.search, { thread: threadId });

const Brand = () => {
  const t = useCustomerText();
  return (
    <div className="cu-brand">
      <Mark />
      {t('c.brand')}
    </div>
  );
};

const Me = () => (
  <div className="cu-me">
    <WhoAmI />
    <LanguageSwitch />
  </div>
);

export const CustomerPage = () => {
  const x = useSharedText();
  const current = useUrlParam('thread');
  const place = useMemo<Place>(() => ({ current, open, addressOf }), [current]);
  return (
    <div className="surface">
      <a className="skip" href="#main">
        {x('x.skip')}
      </a>
      <PlaceContext value={place}>
        <Conversations top={<Brand />} bottom={<Me />} />
      </PlaceContext>
    </div>
  );
};
