/** Opens the operator's console. */
import '../shared/styles.js';
import './styles.js';
import { mountSurface } from '../shared/surface-root.js';
import { ConsolePage } from './console-page.js';

mountSurface('operator', <ConsolePage />);
