/** Opens the operator's console. */
import '../shared/styles.js';
import './operator.css';
import './log.css';
import './inspector.css';
import './pages.css';
import './looks.css';
import { mountSurface } from '../shared/surface-root.js';
import { ConsolePage } from './console-page.js';

mountSurface('operator', <ConsolePage />);
