/** The desk beside the conversation that the customer is in. */
import { DeskPage } from '../reviewer/desk-page.js';
import { useUrlParam } from '../shared/url-state.js';

export const OneDesk = () => <DeskPage beside={useUrlParam('thread')} />;
