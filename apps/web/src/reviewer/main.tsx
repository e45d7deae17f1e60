/** Opens the review desk. */
import '../shared/styles.js';
import './styles.js';
import { mountSurface } from '../shared/surface-root.js';
import { DeskPage } from './desk-page.js';

mountSurface('reviewer', <DeskPage />);
