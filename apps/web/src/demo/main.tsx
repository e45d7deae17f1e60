/** Opens the split screen. */
import '../shared/styles.js';
import '../customer/styles.js';
import '../reviewer/styles.js';
import '../operator/styles.js';
import './demo.css';
import { mountPage } from '../shared/surface-root.js';
import { DemoPage } from './demo-page.js';

mountPage(<DemoPage />);
