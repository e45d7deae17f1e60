/** Opens the customer's page. */
import '../shared/styles.js';
import './customer.css';
import './talk.css';
import './cards.css';
import './asking.css';
import './waiting.css';
import './composer.css';
import { mountSurface } from '../shared/surface-root.js';
import { CustomerPage } from './customer-page.js';

mountSurface('customer', <CustomerPage />);
