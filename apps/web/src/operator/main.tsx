/** Opens the operator's console. */
import '../shared/styles/tokens.css';
import '../shared/styles/base.css';
import './operator.css';
import { mountSurface } from '../shared/surface-root.js';
import { ConsolePage } from './console-page.js';

mountSurface('operator', <ConsolePage />);
