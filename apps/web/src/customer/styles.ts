/** All the looks of the customer's page. */
import './customer.css';
import './talk.css';
import './cards.css';
import './asking.css';
import './waiting.css';
import './composer.css';
