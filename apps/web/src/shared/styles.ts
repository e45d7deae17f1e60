/** The look all surfaces share, in the order in which later files may refine earlier ones. */
import './styles/fonts.css';
import './styles/tokens.css';
import './styles/page.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/choices.css';
import './styles/status.css';
