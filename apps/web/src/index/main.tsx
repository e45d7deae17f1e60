/** Opens the landing page. */
import '../shared/styles.js';
import './landing.css';
import { mountPage } from '../shared/surface-root.js';
import { LandingPage } from './landing-page.js';

mountPage(<LandingPage />);
