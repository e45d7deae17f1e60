/** Opens the customer's page. */
import '../shared/styles.js';
import './styles.js';
import { mountSurface } from '../shared/surface-root.js';
import { CustomerPage } from './customer-page.js';

mountSurface('customer', <CustomerPage />);
