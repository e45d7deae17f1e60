/** Opens the review desk. */
import '../shared/styles/tokens.css';
import '../shared/styles/base.css';
import './reviewer.css';
import { mountSurface } from '../shared/surface-root.js';
import { DeskPage } from './desk-page.js';

mountSurface('reviewer', <DeskPage />);
