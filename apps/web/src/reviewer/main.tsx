/** Opens the review desk. */
import '../shared/styles.js';
import './reviewer.css';
import './list.css';
import './task.css';
import './acts.css';
import './edit.css';
import './bulk.css';
import { mountSurface } from '../shared/surface-root.js';
import { DeskPage } from './desk-page.js';

mountSurface('reviewer', <DeskPage />);
