/** All the looks of the review desk. */
import './reviewer.css';
import './list.css';
import './task.css';
import './acts.css';
import './edit.css';
import './bulk.css';
