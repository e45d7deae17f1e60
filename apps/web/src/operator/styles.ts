/** All the looks of the console. */
import './operator.css';
import './log.css';
import './inspector.css';
import './pages.css';
import './looks.css';
import './runs.css';
