/** Opens the customer's page. */
import '../shared/styles/tokens.css';
import '../shared/styles/base.css';
import './customer.css';
import { mountSurface } from '../shared/surface-root.js';
import { CustomerPage } from './customer-page.js';

mountSurface('customer', <CustomerPage />);
